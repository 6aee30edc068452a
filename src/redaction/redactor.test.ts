import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createRedactor, userNameMistake } from './redactor.ts';

const redact = createRedactor({ enabled: true, userNames: [] });
const letters = 'Q7x9TzLm2Rk4Wp8VbN3cYd6H';

describe('secrets are gone', () => {
  const secrets: readonly (readonly [string, string])[] = [
    [`curl -H 'Authorization: Bearer ${letters}' http://10.0.0.1`, letters],
    [`authorization: Basic ${letters}==`, letters],
    [`"authorization": "token ${letters}"`, letters],
    [`got bearer ${letters}`, letters],
    ['redis://cache:p%40ss@10.0.0.1:6379/0', 'p%40ss'],
    ['nats://reader:pa@ss@10.0.0.1:4222', 'pa@ss'],
    [`https://${letters}@registry.example.org/v2/`, letters],
    ['MYSQL_PASSWORD=hunter2', 'hunter2'],
    ['export DB_PASSWORD="hunter 2"', 'hunter 2'],
    ["{'password': 'hunter2'}", 'hunter2'],
    ['password: hunter2', 'hunter2'],
    ['PASSPHRASE=hunter2,NEXT=1', 'hunter2'],
    ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG', 'wJalrXUtnFEMI/K7MDENG'],
    ['WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567', '0123456789abcdef0123456789abcdef01234567'],
    ['OPENAI_APIKEY=abc', 'abc'],
    ['HF_TOKEN=12345678', '12345678'],
    [`{"access_token": "${letters}"}`, letters],
    [`GET /v1?token=${letters}&x=1`, letters],
    ['CLIENT_SECRET=hunter2', 'hunter2'],
    ['docker login --password hunter2 registry', 'hunter2'],
    [`run --api-key=${letters}`, letters],
    [`key sk-${letters}`, letters],
    [`sk-proj-${letters}`, letters],
    ['AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
    [`ghp_${letters}`, letters],
    [`github_pat_${letters}`, letters],
    [`hf_${letters}`, letters],
    [`glpat-${letters}`, letters],
    [`nvapi-${letters}`, letters],
    [`xoxb-12-${letters}`, letters],
    [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyMSJ9.${letters}`, letters],
    ['Cookie: sid=hunter2; theme=dark', 'hunter2'],
    [`-----BEGIN RSA PRIVATE KEY-----\n${letters}\n-----END RSA PRIVATE KEY-----`, letters],
    [`-----BEGIN OPENSSH PRIVATE KEY-----\n${letters}`, letters],
    ['mail user1@example.org about it', 'user1'],
    ['redis://cache:pa/ss@10.0.0.1:6379/0', 'pa/ss'],
    ['{"name": "DB_PASSWORD", "value": "hunter2"}', 'hunter2'],
    ['- name: DB_PASSWORD\n  value: hunter2', 'hunter2'],
    ["[(b'Authorization', b'Bearer hunter22')]", 'hunter22'],
    ["{b'x-api-key': b'hunter2'}", 'hunter2'],
    ["('password', 'hunter2')", 'hunter2'],
    ['{\\"password\\": \\"hunter 2\\"}', 'hunter 2'],
    ['{"password"\\u003d"hunter2"}', 'hunter2'],
    ['Authorization: AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=00ff00ff', '00ff00ff'],
    ['Server=10.0.0.9;Uid=reader;Pwd=hunter2;', 'hunter2'],
    ['AccountName=a;AccountKey=Zm9vYmFyMTIzNDU2Nzg5MA==;', 'Zm9vYmFyMTIz'],
    ['https://store/x?sv=1&sig=hunter2%3D&se=2', 'hunter2'],
    ['curl -u reader:hunter2 http://10.0.0.1', 'hunter2'],
    ['machine example.org login reader password hunter2', 'hunter2'],
    ['sshpass -p hunter2 ssh node-01', 'hunter2'],
    [
      '{"auths":{"registry.example.org":{"auth":"cmVhZGVyOmh1bnRlcjItNDItYWdhaW4="}}}',
      'cmVhZGVyOmh1bnRlcjItNDIt',
    ],
    ['//registry.example.org/:_authToken=npm-hunter2', 'npm-hunter2'],
    [`ya29.${letters}`, letters],
    [`hvs.${letters}`, letters],
    [`-----BEGIN PGP PRIVATE KEY BLOCK-----\n${letters}\n-----END PGP PRIVATE KEY BLOCK-----`, letters],
    ['MIIEpAIBAAKCAQEA7Qx9TzLm2Rk4Wp8VbN3cYd6HzR5tYu1IoP0aSdFgHjKl', 'MIIEpAIBAAKCAQEA7Qx9TzLm'],
    ['?line=DB_PASSWORD%3Dhunter2&n=1', 'hunter2'],
    ['?next=%3Ftoken%3D0123456789abcdef0123%26x%3D1', '0123456789abcdef0123'],
    ['100%zz password%3Dhunter2', 'hunter2'],
    ['MYSQL_\u001b[1mPASSWORD\u001b[0m=hunter2', 'hunter2'],
    ['A_TOKEN=aaaaaaaa B_TOKEN=bbbbbbbb', 'bbbbbbbb'],
  ];
  for (const [text, secret] of secrets) {
    test(JSON.stringify(text), () => assert.ok(!redact(text).includes(secret), redact(text)));
  }
});

describe('what names the fault stays', () => {
  const harmless: readonly string[] = [
    'NVRM: Xid (PCI:0000:b3:00): 79, pid=1234, name=python3, GPU has fallen off the bus.',
    'nvidia-nvswitch3: SXid (PCI:0000:85:00.0): 20034, Fatal, Link 12 LTSSM Fault Up',
    'commit 0123456789abcdef0123456789abcdef01234567',
    'GPU-6f1c2d3e-4a5b-6c7d-8e9f-0a1b2c3d4e5f lost',
    'node-01:4711:4800 [3] NCCL WARN Call to ibv_modify_qp failed with error No data available 10.0.0.1<45678>',
    'mlx5_0:1 port down, key violation counter 3',
    'consumed tokens: 123456789 | tokens=4096 max_token=4096 tokenizer: sentencepiece',
    'systemd[1]: Started user@1000.service.',
    'LustreError: 11-0: scratch-OST0001-osc-ffff8881: operation ost_read to node 10.0.0.1@o2ib failed: rc = -110',
    'sed: cannot open /etc/passwd: Permission denied',
    'sshd[1]: Failed password for invalid user admin from 10.0.0.1 port 22',
    'tcp://node-01:29500 rendezvous',
    'http://10.0.0.1:8000/a@b',
    'basic authentication was refused',
    'a line\twith a tab\nand another',
    'frame #4: _ZN4c10d16ProcessGroupNCCL8WorkNCCL28checkAndSetExceptionEv + 0x1f',
    'RIP: 0010:_nv012345rm+0x1a/0x2b [nvidia]',
    'File "/opt/venv/lib/python3.11/site-packages/torch/distributed/DistributedDataParallel/ReducerBucketView"',
    'sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    'loss is 100% of 3%, GPU 3 at 98%25 of its power',
    'POST /v1/attribution?a=%5B1%5D&b=%20',
    'docker run --user 1000:1000 image',
    'authentication with password, key or token is possible',
    'username = reader, keyword: value',
    'cookie policy was loaded',
    'NVLINK 12 0xDEADBEEF 00000000:3B:00.0 serial 1650922012345',
  ];
  for (const text of harmless) test(JSON.stringify(text), () => assert.equal(redact(text), text));

  test('the node in an address like a user at a host', () => {
    assert.equal(redact('ssh user1@node-01.cluster.example.org'), 'ssh [redacted]@node-01.cluster.example.org');
  });

  test('the name of the setting and the host of the URL', () => {
    assert.equal(redact('MYSQL_PASSWORD=hunter2'), 'MYSQL_PASSWORD=[redacted]');
    assert.equal(redact('redis://cache:pw@10.0.0.1:6379'), 'redis://cache:[redacted]@10.0.0.1:6379');
  });
});

test('switched off, secrets stay and control characters are still made harmless', () => {
  const off = createRedactor({ enabled: false, userNames: [] });
  assert.equal(off('PASSWORD=hunter2\u001b[2J\u0007'), 'PASSWORD=hunter2\\x07');
});

test('a secret is gone whatever stands around it', () => {
  const around = fc.string({ unit: 'binary', maxLength: 40 });
  fc.assert(
    fc.property(around, around, (before, behind) => {
      const left = redact(`${before}\nMYSQL_PASSWORD=${letters}\n${behind}`);
      assert.ok(!left.includes(letters), left);
    }),
    { numRuns: 500 },
  );
});

test('user names go where patterns tell them, the rest of the match stays', () => {
  const named = createRedactor({ enabled: true, userNames: ['/home/(?P<name>[a-z0-9]+)', '\\bu\\d{6}\\b'] });
  assert.equal(
    named('cannot open /home/user1/x of user1, owner u123456, on node-01'),
    'cannot open /home/[redacted]/x of user1, owner [redacted], on node-01',
  );
  assert.equal(userNameMistake('(?=x)')?.includes('lookahead'), true);
  assert.match(userNameMistake('x*') ?? '', /everywhere/);
  assert.equal(userNameMistake('u\\d{6}'), null);
});

test('a long text with many secrets is redacted in about the time of its length', () => {
  const line = `GET /v1?token=${letters}&x=%41 DB_PASSWORD=hunter2 ${Buffer.from('a=b password=x').toString('base64')}\n`;
  const left = redact(line.repeat(2_000));
  assert.equal(left.split('[redacted]').length - 1, 3 * 2_000);
});
