import { type App, route } from '#server/program/access/route.ts'
import { listLanguages } from '#server/program/auth/languages.ts'
import * as contract from '../contract.ts'

export function languageRoutes(app: App) {
  route(app, contract.listLanguages, async () => ({ items: listLanguages() }))
}
