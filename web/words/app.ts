import i18next from 'i18next'
import '../words.ts'
import { shellWords } from './en-shell.ts'

// Only now: the screens before signing in do without these words.
i18next.addResourceBundle('en', 'translation', shellWords, true)
