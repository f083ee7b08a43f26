import i18next from 'i18next'
import { en } from './words/en.ts'
import type { enApp } from './words/en-app.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Omit<typeof en, 'pages'> & typeof enApp & { pages: typeof en.pages } }
  }
}

i18next.init({
  lng: 'en',
  resources: { en: { translation: en } },
  initAsync: false,
  // React escapes what it renders.
  interpolation: { escapeValue: false },
})

type Refused = { reason?: string; values?: Record<string, string | number> | null; message: string }

/**
 * Returns a refusal's message in the chosen language if its catalogue has the reason under `refusals`, else the
 * server's. English has no such words: they are in `contract/refusals.ts`, which stays on the server.
 */
export function refusedInWords({ reason, values, message }: Refused): string {
  const key = `refusals.${reason}` as never
  return i18next.exists(key) ? String(i18next.t(key, values as never)) : message
}

/** Returns the words for a key of the catalogue, with `{{values}}` filled in. */
export const t = i18next.t
