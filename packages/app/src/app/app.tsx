import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { Router } from 'wouter'
import { appRoot } from '../api/address.ts'
import { Toasts } from '../ui/toasts.tsx'
import { Boundary } from './faces.tsx'
import { Pages } from './pages.tsx'
import { followSignals, queryClient } from './query-client.ts'

export function App() {
  useEffect(followSignals, [])
  return (
    <QueryClientProvider client={queryClient}>
      <Router base={appRoot}>
        <Boundary place="app">
          <Suspense fallback={null}>
            <Pages />
          </Suspense>
        </Boundary>
        <Toasts />
      </Router>
    </QueryClientProvider>
  )
}
