import { second } from '../stage.ts';
import { type ApplicationFault, allRanks, someRanks, traceback } from './application.ts';

const outOfMemoryTexts = [
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.95 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.20 GiB is free. Process 41231 has 77.89 GiB memory in use.',
  'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB (GPU 3; 79.15 GiB total capacity; 76.01 GiB already allocated; 411.25 MiB free; 77.2 GiB reserved in total by PyTorch)',
  'RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`',
];

export const cudaOutOfMemory: ApplicationFault = {
  family: 'cuda-out-of-memory',
  categories: ['application_oom'],
  play(stage, at) {
    const text = stage.random.pick(outOfMemoryTexts).replace(/ Process 41231 has .* in use\./, '');
    return { how: 'dies', at, ranks: someRanks(stage), says: () => traceback(stage, text) };
  },
};

/** Codes that programs bring about: on the ranks' own GPUs, in the driver's log. */
export const illegalAccess: ApplicationFault = {
  family: 'illegal-access',
  categories: ['application_error'],
  play(stage, at) {
    const { random } = stage;
    const ranks = someRanks(stage).slice(0, 16);
    for (const rank of ranks) {
      const { machine, gpu } = stage.place(rank);
      const head = `NVRM: Xid (PCI:${gpu.pci}):`;
      const who = `pid=${stage.pid(rank)}, name=python3`;
      const when = at + random.next() * 400;
      if (random.chance(0.6))
        stage.kernel(
          machine,
          when,
          `${head} 31, ${who}, Ch 00000008, intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_${random.int(0, 9)} faulted @ 0x7f${random.hex(2)}_${random.hex(8)}. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ`,
        );
      else
        stage.kernel(
          machine,
          when,
          `${head} 13, ${who}, Graphics Exception: ESR 0x${random.hex(6)}=0x${random.hex(8)} 0x${random.hex(6)}=0x0`,
        );
      if (random.chance(0.7)) stage.kernel(machine, when + 100, `${head} 43, ${who}, Ch 00000008`);
      if (ranks.length <= 2)
        stage.decoys.push({ node: machine.name, what: 'its GPU reports what a program did' });
    }
    const text = random.pick([
      'RuntimeError: CUDA error: an illegal memory access was encountered\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.',
      'torch.AcceleratorError: CUDA error: an illegal memory access was encountered',
      'RuntimeError: CUDA error: misaligned address',
    ]);
    return {
      how: 'dies',
      at: at + random.between(0.05, 1) * second,
      ranks,
      says: () => traceback(stage, text),
    };
  },
};

export const deviceAssert: ApplicationFault = {
  family: 'device-assert',
  categories: ['application_error'],
  play(stage, at) {
    const { random } = stage;
    const block = `${random.int(0, 900)},0,0`;
    const lines = Array.from(
      { length: random.int(3, 12) },
      (_, thread) =>
        `/pytorch/aten/src/ATen/native/cuda/Indexing.cu:1236: indexSelectSmallIndex: block: [${block}], thread: [${thread},0,0] Assertion \`srcIndex < srcSelectDimSize\` failed.`,
    );
    const text = traceback(stage, 'RuntimeError: CUDA error: device-side assert triggered');
    return { how: 'dies', at, ranks: someRanks(stage).slice(0, 8), says: () => [...lines, text].join('\n') };
  },
};

export const noKernelImage: ApplicationFault = {
  family: 'no-kernel-image',
  categories: ['application_error'],
  play(stage, at) {
    const text = traceback(
      stage,
      'RuntimeError: CUDA error: no kernel image is available for execution on the device',
    );
    return { how: 'dies', at, ranks: allRanks(stage), says: () => text };
  },
};

/** The job's own limit of host memory. */
export const memoryLimit: ApplicationFault = {
  family: 'memory-limit',
  categories: ['host_oom'],
  state: 'OUT_OF_MEMORY',
  exit: '0:125',
  play(stage, at) {
    const { random, job } = stage;
    const machine = random.pick(stage.machines);
    const rank = machine.firstRank + random.int(0, machine.gpus.length - 1);
    const group = `/slurm/uid_1001/job_${job.id}/step_0`;
    stage.decoys.push({ node: machine.name, what: 'its kernel kills a process at the limit of the job' });
    stage.kernel(
      machine,
      at - 4,
      `python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0`,
    );
    stage.kernel(
      machine,
      at,
      `oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=step_0,mems_allowed=0-1,oom_memcg=${group},task_memcg=${group}/user/task_0,task=python3,pid=${stage.pid(rank)},uid=1001`,
    );
    stage.kernel(
      machine,
      at + 1,
      `Memory cgroup out of memory: Killed process ${stage.pid(rank)} (python3) total-vm:${random.int(1e8, 9e8)}kB, anon-rss:${random.int(1e8, 5e8)}kB, file-rss:1024kB, shmem-rss:0kB, UID:1001 pgtables:90000kB oom_score_adj:0`,
    );
    stage.print(
      null,
      at + 2 * second,
      `slurmstepd: error: Detected 1 oom_kill event in StepId=${job.id}.0. Some of the step tasks have been OOM Killed.`,
    );
    stage.print(null, at + 2.2 * second, `srun: error: ${machine.name}: task ${rank}: Out Of Memory`);
    return { how: 'dies', at, ranks: [rank] };
  },
};

export const segmentationFault: ApplicationFault = {
  family: 'segmentation-fault',
  categories: ['application_error'],
  exit: '139:0',
  play(stage, at) {
    const { random } = stage;
    const ranks = someRanks(stage).slice(0, 32);
    for (const rank of ranks.slice(0, 8)) {
      const { machine } = stage.place(rank);
      stage.kernel(
        machine,
        at + random.next() * 90,
        `python3[${stage.pid(rank)}]: segfault at ${random.hex(8)} ip 00007f${random.hex(10)} sp 00007ffc${random.hex(8)} error 4 in custom_ops.so[7f${random.hex(10)}+${random.hex(6)}]`,
      );
    }
    return {
      how: 'dies',
      at,
      ranks,
      says: () =>
        'Fatal Python error: Segmentation fault\n\nCurrent thread 0x00007f2b4d3fe640 (most recent call first):\n  File "/workspace/ops/fused.py", line 88 in forward',
    };
  },
};
