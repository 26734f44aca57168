import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The service that the development server passes requests of the API on to. */
const service = process.env['TAIN_URL'] ?? 'http://127.0.0.1:8055'

/** Everything but the app's own files belongs to the API. */
const isOfTheApp = /^\/(?:admin(?:\/|$)|src\/|@|node_modules\/|begin\.js|index\.html|packages\/)/u

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
    // Many small files cost more than their bytes: the start and the page of a list, with all they import, are one.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'first', test: /[\\/]src[\\/](?:main|pages[\\/]browse[\\/]browse-page)\.tsx$/u }],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      '^/(?!admin|src/|@|node_modules/|begin\\.js|packages/)': {
        target: service,
        bypass: ({ url }) => (isOfTheApp.test(url ?? '') ? url : undefined),
      },
    },
  },
})
