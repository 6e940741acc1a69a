import { defineConfig } from 'vite'
import { AGENTS } from './src/agents/agents.ts'
import type { Agent } from './src/agents/agent.ts'

const WITHOUT_NATIVE = Object.values<Agent>(AGENTS).flatMap(({ id, appender }) => (appender === undefined ? id : []))

/** Builds the page at `/` and the frame of `/docs` (src/page/) into dist/page/. The service serves these files under `/page/`. */
export default defineConfig({
  root: 'src/page',
  logLevel: 'warn',
  define: { WITHOUT_NATIVE: JSON.stringify(WITHOUT_NATIVE) },
  build: {
    outDir: '../../dist/page',
    rolldownOptions: { input: ['src/page/index.html', 'src/page/reference.html'] },
    emptyOutDir: true,
    assetsDir: '',
    // The content security policy allows no `data:` scripts, and a file can be cached.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Not in `.vite/`, the default: a folder whose name begins with a dot is no part of the service.
    license: { fileName: 'licenses.md' },
  },
  experimental: {
    // Relative, so that a proxy may serve the page under a path.
    renderBuiltUrl: (filename, { hostType }) => (hostType === 'html' ? `page/${filename}` : { relative: true }),
  },
})
