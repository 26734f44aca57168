// Copies of a prepared MariaDB database. MariaDB has no templates, so the copies are restored from a dump.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connectMysql, createDatabase, mysqlServerUrl } from '../lib/databases.ts'
import type { Copies, Copy } from './failpoints.ts'

const run = promisify(execFile)

async function dumpOf(url: string): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const address = [`--host=${hostname}`, `--port=${port || '3306'}`, `--user=${username}`]
  const secret = password === '' ? [] : [`--password=${password}`]
  const options = ['--single-transaction', '--skip-comments', '--hex-blob', '--routines=false', '--triggers=false']
  const most = 64 * 1024 ** 2
  const { stdout } = await run('mariadb-dump', [...address, ...secret, ...options, pathname.slice(1)], {
    maxBuffer: most,
  })
  return stdout
}

export async function withMysqlCopies<T>(
  work: (copies: Copies) => Promise<T>,
  fill: (url: string) => Promise<void>,
): Promise<T> {
  const original = await createDatabase('mysql')
  const server = await connectMysql(mysqlServerUrl)
  const names: string[] = []
  const open: Copy[] = []
  try {
    await fill(original.url)
    const dump = await dumpOf(original.url)
    return await work({
      async make() {
        const name = `tain_test_${randomBytes(8).toString('hex')}`
        names.push(name)
        await server.query(`create database ${name} character set utf8mb4 collate utf8mb4_nopad_bin`)
        const url = Object.assign(new URL(original.url), { pathname: `/${name}` }).href
        const connection = await connectMysql(url)
        await connection.query(dump)
        const copy = { url, ...connection }
        open.push(copy)
        return copy
      },
    })
  } finally {
    for (const copy of open) await copy.close().catch(() => undefined)
    for (const name of names) await server.query(`drop database if exists ${name}`)
    await server.close()
    await original.drop()
  }
}

/** Sessions of a killed service end shortly afterwards, when their current statement is finished. */
export async function untilAloneOnMysql({ query }: Copy): Promise<void> {
  const others = `select count(*) from information_schema.processlist where db = database() and id <> connection_id()`
  while ((await query(others))[0]?.[0] !== '0') await sleep(5)
}
