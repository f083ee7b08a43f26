import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContext } from '@playwright/test'
import { build, type PluginOption } from 'vite'
import config from '../../vite.config.ts'
import { pseudoLanguage } from './pseudo-language.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The web application built with a catalogue in the pseudo-language. */
export type PseudoBuild = {
  /** Serves this build to the pages of this context from now on; everything else comes from the product. */
  serveTo(context: BrowserContext, url: string): Promise<void>
  end(): Promise<void>
}

/** Builds the application into its own folder, with the product's plugins but without compression. */
export async function buildInPseudoLanguage(): Promise<PseudoBuild> {
  const outDir = await mkdtemp(join(tmpdir(), 'tributary-pseudo-'))
  const end = () => rm(outDir, { recursive: true, force: true })
  const named = (plugin: PluginOption) => (plugin && 'name' in plugin ? plugin.name : '')
  const plugins = config.plugins?.filter((plugin) => named(plugin) !== 'precompress') ?? []
  await build({
    ...config,
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [pseudoLanguage(), ...plugins],
    build: { ...config.build, outDir, minify: false },
  }).catch(async (error) => {
    await end()
    throw error
  })
  const document = await readFile(join(outDir, 'index.html'), 'utf8')
  return {
    async serveTo(context, url) {
      await context.route(`${url}/assets/**`, (route) =>
        route.fulfill({ path: join(outDir, new URL(route.request().url()).pathname) }),
      )
      // The document has the headers of the product, its policy among them.
      const isScreen = (address: URL) =>
        address.origin === url && !/^\/(api|assets|web)\/|\.\w+$/.test(address.pathname)
      await context.route(isScreen, async (route) => {
        if (!route.request().isNavigationRequest()) return route.fallback()
        return route.fulfill({ response: await route.fetch(), body: document })
      })
    },
    end,
  }
}
