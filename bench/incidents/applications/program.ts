import { after, ranksOf, second } from '../stage.ts';
import { glogStamp } from '../text/stamps.ts';
import { type ApplicationFault, allRanks, someRanks, traceback } from './application.ts';

/** What every rank meets alike: on one node alone it would be that node's lack. */
const surroundings = /ModuleNotFound|ImportError|FileNotFound|PermissionError/;

const error = (
  family: string,
  categories: readonly string[],
  errors: readonly string[],
  atStart = false,
): ApplicationFault => ({
  family,
  categories,
  atStart,
  play(stage, at) {
    const said = stage.random.pick(errors);
    const text = traceback(stage, said);
    return {
      how: 'dies',
      at,
      ranks: surroundings.test(said) ? allRanks(stage) : someRanks(stage),
      says: () => text,
    };
  },
});

export const pythonError = error(
  'python-error',
  ['application_error'],
  [
    "KeyError: 'input_ids'",
    'RuntimeError: mat1 and mat2 shapes cannot be multiplied (4096x5120 and 4096x1024)',
    'RuntimeError: The size of tensor a (2048) must match the size of tensor b (2047) at non-singleton dimension 1',
    "ModuleNotFoundError: No module named 'flash_attn'",
    "ImportError: cannot import name 'AdamW' from 'transformers'",
    'AssertionError: global batch size must be divisible by micro batch size times data parallel size',
    'RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!',
    "TypeError: forward() got an unexpected keyword argument 'position_ids'",
    'ValueError: too many values to unpack (expected 2)',
    'IndexError: list index out of range',
  ],
);

export const configuration = error(
  'configuration',
  ['application_error'],
  [
    "omegaconf.errors.ConfigAttributeError: Key 'warmup' is not in struct",
    "hydra.errors.ConfigCompositionException: Could not override 'trainer.devices'.",
    "argparse.ArgumentError: argument --tp: invalid int value: 'eight'",
  ],
  true,
);

export const modelHub = error(
  'model-hub',
  ['application_error', 'data_or_checkpoint'],
  [
    'requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://huggingface.co/api/models/example/model',
    'huggingface_hub.errors.GatedRepoError: 401 Client Error. Cannot access gated repo for url https://huggingface.co/example/model/resolve/main/config.json.',
    'huggingface_hub.errors.HfHubHTTPError: 429 Client Error: Too Many Requests for url: https://huggingface.co/api/datasets/example/text',
  ],
  true,
);

export const checkpoint = error(
  'checkpoint',
  ['data_or_checkpoint'],
  [
    'RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory',
    'safetensors_rust.SafetensorError: Error while deserializing header: MetadataIncompleteBuffer',
    'RuntimeError: Error(s) in loading state_dict for GPTModel:\n\tsize mismatch for embedding.word_embeddings.weight: copying a param with shape torch.Size([50304, 4096]) from checkpoint, the shape in current model is torch.Size([50432, 4096]).',
    'RuntimeError: Error(s) in loading state_dict for GPTModel:\n\tMissing key(s) in state_dict: "decoder.layers.0.self_attention.linear_qkv.weight".',
    'RuntimeError: [enforce fail at inline_container.cc:603] . unexpected pos 1152 vs 1046',
  ],
  true,
);

export const dataset = error(
  'dataset',
  ['data_or_checkpoint', 'application_error'],
  [
    "FileNotFoundError: [Errno 2] No such file or directory: '/lustre/data/tokens/shard-00317.bin'",
    'RuntimeError: DataLoader worker (pid(s) 218832) exited unexpectedly',
    "PermissionError: [Errno 13] Permission denied: '/lustre/data/private/index.idx'",
    'datasets.exceptions.DatasetGenerationError: An error occurred while generating the dataset',
    'ValueError: Tokenizer class LlamaTokenizerX does not exist or is not currently imported.',
  ],
);

export const sharedQuota = error(
  'shared-quota',
  ['storage_shared', 'data_or_checkpoint', 'application_error'],
  [
    "OSError: [Errno 122] Disk quota exceeded: '/home/user1/run/checkpoints/step-4000/rank-0.pt'",
    "OSError: [Errno 122] Disk quota exceeded: '/lustre/ckpt/user1/iter_0042000/model_optim_rng.pt'",
  ],
);

export const notANumber: ApplicationFault = {
  family: 'not-a-number',
  categories: ['application_numerics'],
  play(stage, at) {
    const { random, job } = stage;
    const rank = random.int(0, job.world - 1);
    const { machine, gpu } = stage.place(rank);
    const text = random.pick([
      `AssertionError: Rank ${rank}: found NaN in local grad norm in backward pass before data-parallel communication collective. Device: ${gpu.index}, node: ${machine.name}`,
      'RuntimeError: Function MulBackward0 returned nan values in its 0th output.',
      'ValueError: loss is nan, stopping training',
      'Exception: Current loss scale already at minimum - cannot decrease scale anymore. Exiting run.',
    ]);
    if (text.includes('node:'))
      stage.decoys.push({ node: machine.name, what: 'an assertion about numbers names it' });
    return { how: 'dies', at, ranks: [rank], says: () => traceback(stage, text) };
  },
};

export const desynchronised: ApplicationFault = {
  family: 'desynchronised',
  categories: ['application_error', 'collective_timeout'],
  play(stage, at) {
    const { random, job } = stage;
    const seq = random.int(300, 90_000);
    const odd = new Set(
      random.some(
        Array.from({ length: Math.min(job.world, 64) }, (_, rank) => rank),
        random.int(1, 3),
      ),
    );
    const ranMs = job.limitMs + random.int(5, 900);
    const grouped = random.chance(0.85);
    for (let rank = 0; rank < Math.min(job.world, 64); rank += 1) {
      const [op, size] = odd.has(rank) ? (['BROADCAST', 1] as const) : (['ALLREDUCE', 8_388_608] as const);
      const when = after(stage, at + ranMs, 300);
      const head = grouped
        ? `[rank${rank}]:[E${glogStamp(when, true)} ProcessGroupNCCL.cpp:632] [PG ID 0 PG GUID 0(default_pg) Rank ${rank}]`
        : `[E ProcessGroupNCCL.cpp:475] [Rank ${rank}]`;
      stage.print(
        rank,
        when,
        `${head} Watchdog caught collective operation timeout: WorkNCCL(SeqNum=${seq}, OpType=${op}, NumelIn=${size}, NumelOut=${size}, Timeout(ms)=${job.limitMs}) ran for ${ranMs} milliseconds before timing out.`,
      );
    }
    return { how: 'dies', at: at + ranMs + second, ranks: [], says: () => '' };
  },
};

export const launcherError: ApplicationFault = {
  family: 'launcher',
  atStart: true,
  categories: ['application_error', 'node_configuration'],
  play(stage, at) {
    const { random } = stage;
    const [a, b] = random.some(ranksOf(random.pick(stage.machines)), 2);
    if (a !== undefined && b !== undefined && random.chance(0.6)) {
      for (const rank of [a, b]) {
        stage.nccl(
          rank,
          at,
          `init.cc:943 NCCL WARN Duplicate GPU detected : rank ${a} and rank ${b} both on CUDA device 1b000`,
        );
      }
      return {
        how: 'dies',
        at: at + 60,
        ranks: [a, b],
        says: () =>
          'torch.distributed.DistBackendError: NCCL error in: ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1331, invalid usage (run with NCCL_DEBUG=WARN for details), NCCL version 2.21.5\nncclInvalidUsage: This usually reflects invalid usage of NCCL library.',
      };
    }
    const all = allRanks(stage);
    for (const rank of all)
      stage.nccl(
        rank,
        after(stage, at, 900),
        'bootstrap.cc:45 NCCL WARN Bootstrap : no socket interface found',
      );
    return {
      how: 'dies',
      at: at + second,
      ranks: all,
      says: () => 'ncclInternalError: Internal check failed.',
    };
  },
};

export const imageRefused: ApplicationFault = {
  family: 'image',
  atStart: true,
  categories: ['container_runtime', 'application_error'],
  play(stage, at) {
    for (const machine of stage.machines.slice(0, 64)) {
      const when = after(stage, at, 4000);
      stage.print(
        machine.firstRank,
        when,
        'pyxis: importing docker image: registry.train.example/team/image:1.4',
      );
      stage.print(
        machine.firstRank,
        when + 900,
        `slurmstepd: error: pyxis: child ${stage.pid(machine.firstRank)} failed with error code: 1`,
      );
      stage.print(machine.firstRank, when + 901, 'slurmstepd: error: pyxis: failed to import docker image');
      stage.print(
        machine.firstRank,
        when + 902,
        'slurmstepd: error: pyxis:     [ERROR] URL https://registry.train.example/v2/team/image/manifests/1.4 returned error code: 401 Unauthorized',
      );
      stage.print(machine.firstRank, when + 903, "slurmstepd: error: pyxis: couldn't start container");
    }
    return { how: 'dies', at: at + 6 * second, ranks: [], says: () => '' };
  },
};
