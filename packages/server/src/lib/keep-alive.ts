/** Connections that wait for a response do not keep the process alive by themselves. */
export async function keepAlive<T>(work: () => Promise<T>): Promise<T> {
  const alive = setInterval(() => undefined, 60_000)
  try {
    return await work()
  } finally {
    clearInterval(alive)
  }
}
