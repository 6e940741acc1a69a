import type { BuildOptions } from 'esbuild'

/** How our programs are bundled with the packages that they use: for the package, and for the processes of tests. */
export const PROGRAM_OPTIONS = {
  ...{ platform: 'node', bundle: true, format: 'esm', target: 'node20.20', logLevel: 'warning' },
  // The `main` of jsonc-parser is a file that finds its parts when it runs, and so does not find them in a bundle.
  mainFields: ['module', 'main'],
  // What several programs use, and what is loaded when it is needed, is a file of its own.
  splitting: true,
  // Installed only where spans are wanted (src/observe/start-tracing.ts).
  external: ['@opentelemetry/sdk-node'],
  // Packages in CommonJS call `require` for modules of Node.js.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
} satisfies BuildOptions
