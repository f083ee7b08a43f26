import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectOk } from './app.ts'
import type { Site } from './journey.ts'
import { MARKED, markedCatalogues } from './marked-language.ts'
import { type SharedSite, startSharedSite } from './populated-account.ts'

/** Starts a product whose install has the marked language. */
export async function startMarkedSite(): Promise<SharedSite> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marked-'))
  await mkdir(join(dataDir, 'languages'))
  await writeFile(join(dataDir, 'languages', `${MARKED}.json`), JSON.stringify(await markedCatalogues()))
  const site = await startSharedSite({ DATA_DIR: dataDir })
  async function end() {
    await site.end()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { ...site, end }
}

/** Lets a partner's person read the marked language. */
export const preferMarked = async (site: Pick<Site, 'api'>, token: string) =>
  expectOk(await site.api('PATCH', '/users/me', { token, body: { preferences: { language: MARKED } } }))
