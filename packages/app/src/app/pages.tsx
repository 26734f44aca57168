import { Suspense, useEffect } from 'react'
import { Redirect, useLocation, useSearch } from 'wouter'
import { useSignal } from '../api/use-signal.ts'
import { applyHue, hueOfColour } from '../model/accent.ts'
import { Empty, Skeleton } from '../ui/feedback.tsx'
import { Boundary } from './faces.tsx'
import { Frame } from './frame.tsx'
import { matchRoute } from './match.ts'
import { lacksSecondFactor } from './sign-in.ts'
import { useStart } from './use-start.ts'

/** The page of the address, in the frame where it belongs there. Who may not see it is sent to sign in, or told so. */
export function Pages() {
  const [path] = useLocation()
  const search = useSearch()
  const start = useStart()
  const { me, globals, project } = start
  const match = matchRoute(path)
  const viewedAs = useSignal('viewedAs')
  const { project_name: name, project_color: colour } = project as { project_name?: unknown; project_color?: unknown }
  useEffect(() => applyHue(hueOfColour(typeof colour === 'string' ? colour : '')), [colour])
  useEffect(() => {
    document.title = [match?.route.title ?? 'Not found', typeof name === 'string' ? name : 'Tain'].join(' · ')
  }, [match?.route.title, name])
  if ((me === null || lacksSecondFactor(start)) && match?.route.audience !== 'anybody') {
    const next = `${path}${search === '' ? '' : `?${search}`}`
    return <Redirect replace to={next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`} />
  }
  if (match === null)
    return (
      <Frame module="content">
        <NotFound />
      </Frame>
    )
  const { route, params } = match
  const Page = route.page
  const body = (
    <Boundary isAlone={route.module === null} place={`${viewedAs?.id ?? 'myself'} ${path}`}>
      <Suspense fallback={<Loading title={route.title} />}>
        {route.audience === 'administrators' && !globals.admin_access ? (
          <NotAllowed />
        ) : (
          <Page key={viewedAs?.id ?? 'myself'} params={params} />
        )}
      </Suspense>
    </Boundary>
  )
  return route.module === null ? body : <Frame module={route.module}>{body}</Frame>
}

const Loading = ({ title }: { readonly title: string }) => (
  <>
    <h1 className="visually-hidden">{title}</h1>
    <Skeleton lines={6} />
  </>
)

const NotFound = () => (
  <Empty isPage icon="search" title="There is no page at this address">
    Go back, or choose a collection at the side.
  </Empty>
)

const NotAllowed = () => (
  <Empty isPage icon="lock" title="This page is for administrators">
    Ask an administrator of this project if you need it.
  </Empty>
)
