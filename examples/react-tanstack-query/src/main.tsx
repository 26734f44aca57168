import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { OrdersPage } from './orders-page.tsx'
import { SignIn } from './sign-in.tsx'

// The client of Tain repeats what can be repeated.
const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })

function Page() {
  const [isSignedIn, setSignedIn] = useState(false)
  return isSignedIn ? <OrdersPage /> : <SignIn onSignedIn={() => setSignedIn(true)} />
}

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Page />
    </QueryClientProvider>
  </StrictMode>,
)
