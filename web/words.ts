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

/** The words for a key of the catalogue, with `{{values}}` filled in. */
export const t = i18next.t
