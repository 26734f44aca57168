import { defineConfig } from 'vitepress'
import { sidebar } from './sidebar.ts'

export default defineConfig({
  title: 'Tain',
  description: 'REST and GraphQL for the SQL database you already have',
  srcDir: './pages',
  outDir: './dist',
  cleanUrls: true,
  rewrites: { 'README.md': 'index.md' },
  // Links to files of the repository outside docs/ lead nowhere on the site.
  ignoreDeadLinks: [/^\.\/\.\.\//u, /fixture\//u, /decisions$/u],
  // The pages are a link to docs/; by their real place, vue would not be found.
  vite: { resolve: { preserveSymlinks: true } },
  themeConfig: { sidebar, search: { provider: 'local' }, outline: [2, 3] },
})
