import i18next from 'i18next'
import { en } from './words/en.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
  }
}

i18next.init({
  lng: 'en',
  resources: { en: { translation: en } },
  initAsync: false,
  // React escapes what it renders.
  interpolation: { escapeValue: false },
})

/** The words for a key of the catalogue, with `{{values}}` filled in. */
export const t = i18next.t
export type WordKey = Parameters<typeof t>[0] & string
