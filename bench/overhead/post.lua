-- Every request is about another attempt, so that none is answered together with another.
local file = io.open(os.getenv("REQUEST_BODY"))
local body = file:read("*a")
file:close()
local attempt = 0
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"

function request()
  attempt = attempt + 1
  return wrk.format(nil, nil, nil, (body:gsub('"attempt_index":0', '"attempt_index":' .. attempt)))
end

function done(summary, latency)
  io.write(string.format("RESULT %d %f %f %f %d %d\n", summary.requests, summary.requests / (summary.duration / 1e6),
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
