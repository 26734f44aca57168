let page: Promise<string> | undefined

async function render(): Promise<string> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  return renderGraphiQL({ title: 'Tain', endpoint: '/graphql' })
}

/** A page to try requests in. It holds all its scripts, so that it works without any other server; it is made when asked for. */
export const graphiqlPage = (): Promise<string> => (page ??= render())
