import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { Router } from 'wouter'
import { appRoot } from '../api/address.ts'
import { followConnection } from '../api/connection.ts'
import { Toasts } from '../ui/toasts.tsx'
import { Boundary } from './faces.tsx'
import { Opening } from './opening.tsx'
import { Pages } from './pages.tsx'
import { followSignals, queryClient } from './query-client.ts'

export function App() {
  useEffect(followSignals, [])
  useEffect(followConnection, [])
  return (
    <QueryClientProvider client={queryClient}>
      <Router base={appRoot}>
        <Boundary isAlone place="app">
          <Suspense fallback={<Opening />}>
            <Pages />
          </Suspense>
        </Boundary>
        <Toasts />
      </Router>
    </QueryClientProvider>
  )
}
