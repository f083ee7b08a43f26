import i18next from 'i18next'
import '../words.ts'
import { shellWords } from './en-shell.ts'

// Loaded here, because the screens before signing in don't need these words.
i18next.addResourceBundle('en', 'translation', shellWords, true)
