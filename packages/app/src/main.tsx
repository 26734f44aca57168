// First, so that the styles of components, which are no more specific, come after them.
import './styles/tokens.css'
import './styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { reportCaught } from './app/faces.tsx'

const place = document.querySelector('#root')
if (place !== null)
  createRoot(place, { onCaughtError: reportCaught }).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
