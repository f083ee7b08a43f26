import type { ExamplesOf } from '#contract/examples/example.ts'
import type * as room from './contract.ts'

export const calls: ExamplesOf<typeof room> = {
  listLanguages: {
    reply: {
      items: [
        { language: 'en', name: 'English', parts: ['before', 'partner', 'server'] },
        { language: 'de', name: 'Deutsch', parts: ['before', 'partner', 'server'] },
      ],
    },
  },
}
