// Runs before the app itself is loaded: the first frame has its theme, and the first requests are on their way.
;(() => {
  const root = new URL('..', document.baseURI).pathname.replace(/\/$/u, '')

  /** What the app takes instead of asking for it: a response and its body, by address. */
  const begun = new Map()
  globalThis.begun = begun
  const begin = async (path) => {
    const response = await fetch(`${root}${path}`, {
      credentials: 'same-origin',
      headers: { accept: 'application/json' },
    })
    const text = await response.text()
    return { response, body: text === '' ? null : JSON.parse(text) }
  }
  const remember = (path) => {
    const arrived = begin(path)
    begun.set(`${root}${path}`, arrived)
    // Whoever takes it hears of a failure.
    arrived.catch(() => undefined)
    return arrived
  }

  const [, collection = ''] = /\/admin\/c\/([^/]+)$/u.exec(location.pathname) ?? []
  const beginList = ({ body }) => {
    const name = decodeURIComponent(collection)
    // What may not be read would be refused, and the refusal would stand in the console. The bits are those of `accessTo`
    // in model/collection.ts.
    const mayRead = (wanted) =>
      body.data.collections.some((each) => each.collection === wanted && (each.access >> 2) & 3)
    if (body?.data?.me == null || !mayRead(name)) return
    void remember(`/fields/${encodeURIComponent(name)}`)
    if (!mayRead('service_presets')) return
    void remember(
      `/presets?filter=${encodeURIComponent(JSON.stringify({ collection: { _eq: name } }))}&limit=-1&sort=id`,
    )
  }
  remember('/server/app')
    .then(beginList)
    .catch(() => undefined)

  const chosen = localStorage.getItem('tain.theme')
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
})()
