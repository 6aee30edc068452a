import { ranksOf, type Stage, second } from './stage.ts';
import { glogStamp, isoSeconds } from './text/stamps.ts';

/** What launchers and coordinators say when a job falls apart: each sees its own children first, and names somebody. */
type Launcher = (stage: Stage, at: number) => void;

/** Every node's agent calls the first of its own ranks that it saw fail the root cause. */
const torchrun: Launcher = (stage, at) => {
  const { random } = stage;
  for (const machine of random.some(stage.machines, 3)) {
    const rank = random.pick(ranksOf(machine));
    const local = rank - machine.firstRank;
    const pid = stage.pid(rank);
    stage.print(
      machine.firstRank,
      at + random.next() * 2 * second,
      [
        `W${glogStamp(at, false)} ${pid} torch/distributed/elastic/multiprocessing/api.py:897] Sending process ${pid + 3} closing signal SIGTERM`,
        `E${glogStamp(at, false)} ${pid} torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: -6) local_rank: ${local} (pid: ${pid}) of binary: /opt/venv/bin/python`,
        'torch.distributed.elastic.multiprocessing.errors.ChildFailedError:',
        'Root Cause (first observed failure):',
        '[0]:',
        `  time      : ${isoSeconds(at).replace('T', '_')}`,
        `  host      : ${machine.name}`,
        `  rank      : ${rank} (local_rank: ${local})`,
        `  exitcode  : -6 (pid: ${pid})`,
        '  error_file: <N/A>',
        `  traceback : Signal 6 (SIGABRT) received by PID ${pid}`,
      ].join('\n'),
    );
  }
};

const jax: Launcher = (stage, at) => {
  const task = stage.random.int(0, stage.job.world - 1);
  const other = stage.random.int(0, stage.job.world - 1);
  stage.print(
    other,
    at,
    `E${glogStamp(at, false)} 4711 coordination_service.cc:1413] /job:jax_worker/replica:0/task:${task} has been set to ERROR in coordination service: UNAVAILABLE: Task /job:jax_worker/replica:0/task:${task} heartbeat timeout.`,
  );
};

const ray: Launcher = (stage, at) => {
  const machine = stage.random.pick(stage.machines);
  stage.print(
    0,
    at,
    `(raylet, ip=${machine.address}) A worker died or was killed while executing a task by an unexpected system error. Worker exit type: SYSTEM_ERROR Worker exit detail: Worker unexpectedly exits with a connection error code 2. End of file.`,
  );
};

const store: Launcher = (stage, at) => {
  for (const rank of stage.random.some(stage.machines, 6).map(machine => machine.firstRank)) {
    stage.print(
      rank,
      at + stage.random.next() * second,
      `[rank${rank}]:[W${glogStamp(at, true)} TCPStore.cpp:125] [c10d] recvValue failed on SocketImpl(fd=67, addr=[${stage.machines[0]?.name}]:51388, remote=[${stage.machines[0]?.name}]:29500): Connection reset by peer`,
    );
  }
};

/** In about half of the failures some launcher has its say. */
export function sayLauncher(stage: Stage, at: number): void {
  const random = stage.random.fork('launcher');
  if (random.chance(0.55)) random.pick([torchrun, torchrun, store, ray, jax])(stage, at);
}
