import i18next from 'i18next'
import '../words.ts'
import { enApp } from './en-app.ts'

// Only now: the screens before signing in do without these words.
i18next.addResourceBundle('en', 'translation', enApp, true)
