// First, so that the styles of components, which are no more specific, come after them.
import './styles/tokens.css'
import './styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { appRoot } from './api/address.ts'
import { App } from './app/app.tsx'
import { reportCaught } from './app/faces.tsx'
import { prepare } from './app/prepare.ts'

function draw(): void {
  const place = document.querySelector('#root')
  if (place === null) return
  createRoot(place, { onCaughtError: reportCaught }).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

// Not awaited at the top of the module: pages import from the file that it is part of, and would wait for it.
void prepare(`${location.pathname.slice(appRoot.length)}${location.search}`).then(draw)
