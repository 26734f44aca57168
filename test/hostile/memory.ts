import { readFileSync } from 'node:fs'
import type { TestDatabase } from '../lib/databases.ts'

const MEGABYTE = 1024 ** 2

function statusOf(pid: number | string, name: string): number {
  try {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'mu').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(found?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/** The peak memory of the process, in megabytes. */
export const peakOf = (pid: number): number => Math.round(statusOf(pid, 'VmHWM') / MEGABYTE)

/** The largest memory use of a service connection in the database, in megabytes; null if it cannot be measured. */
export async function largestConnection({ dialect, name, query }: TestDatabase): Promise<number | null> {
  if (dialect === 'sqlite') return null
  if (dialect === 'mysql') {
    const [row] = await query(`select max(max_memory_used) from information_schema.processlist where db = '${name}'`)
    return Math.round(Number(row?.[0] ?? 0) / MEGABYTE)
  }
  const rows = await query(`select pid from pg_stat_activity where datname = '${name}' and application_name = 'tain'`)
  const sizes = rows.map(([pid]) => statusOf(pid ?? '', 'RssAnon'))
  return sizes.some((size) => size > 0) ? Math.round(Math.max(...sizes) / MEGABYTE) : null
}
