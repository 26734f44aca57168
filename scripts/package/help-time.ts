import { spawnSync } from 'node:child_process'

/** Prints the CPU time of a process to standard error when it exits, in microseconds. */
const REPORT = `data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();console.error(user+system)})`

interface Times {
  readonly wall: number
  readonly cpu: number
  /** CPU time of a Node that runs nothing: a slow or busy machine stretches both. */
  readonly empty: number
}

/** The shortest times of `tain --help`, in milliseconds: other work on the machine only adds to them. */
export function helpTimes(program: string, runs: number): Times {
  const times = Array.from({ length: runs }, () => {
    const began = performance.now()
    const cpu = cpuOf([program, '--help'], 'tain start')
    return { wall: performance.now() - began, cpu, empty: cpuOf(['--eval', 'console.log("done")'], 'done') }
  })
  const least = (of: keyof Times): number => Math.round(Math.min(...times.map((time) => time[of])))
  return { wall: least('wall'), cpu: least('cpu'), empty: least('empty') }
}

function cpuOf(args: readonly string[], expected: string): number {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', REPORT, ...args], { encoding: 'utf8' })
  if (status !== 0 || !stdout.includes(expected)) throw new Error(`${args.join(' ')} failed: ${stderr}`)
  return Number(stderr) / 1000
}
