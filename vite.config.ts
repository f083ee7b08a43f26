import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractCalls } from './web/build/contract-calls.ts'
import { docsPages } from './web/build/docs-pages.ts'
import { chooseChunk } from './web/build/first-load.ts'
import { precompressBuild } from './web/build/precompress.ts'
import { publicPages } from './web/build/public-pages.ts'

const api = 'http://127.0.0.1:3000'

export default defineConfig({
  publicDir: 'web/public',
  plugins: [contractCalls(), react(), publicPages(), docsPages(), precompressBuild()],
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2024',
    // Both would break the content security policy: an inline script, and data: addresses for fonts and scripts.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ debugName: 'first load', name: (id, context) => chooseChunk(id, context) ?? null }],
        },
      },
    },
  },
  server: {
    proxy: {
      ...Object.fromEntries(
        ['/api', '/r', '/s', '/embed', '/hooks', '/health', '/mail/previews', '/words'].map((path) => [
          `^${path}/`,
          api,
        ]),
      ),
      '^/mcp$': api,
      // written by the build alone
      '^/docs(/|$)': api,
    },
  },
})
