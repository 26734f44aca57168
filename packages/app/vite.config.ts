import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The service that the development server passes requests of the API on to. */
const service = process.env['TAIN_URL'] ?? 'http://127.0.0.1:8055'

/** Everything but the app's own files belongs to the API. */
const isOfTheApp = /^\/(?:admin(?:\/|$)|src\/|@|node_modules\/|theme\.js|index\.html|packages\/)/u

export default defineConfig({
  base: './',
  plugins: [react()],
  css: { transformer: 'lightningcss' },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    cssMinify: 'lightningcss',
    modulePreload: { polyfill: false },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      '^/(?!admin|src/|@|node_modules/|theme\\.js|packages/)': {
        target: service,
        bypass: ({ url }) => (isOfTheApp.test(url ?? '') ? url : undefined),
      },
    },
  },
})
