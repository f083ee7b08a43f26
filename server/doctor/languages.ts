import { countInWords } from '../platform/format-values.ts'
import { MOST_NAMED, readLanguages } from '../platform/languages.ts'
import { type Check, problemsOr, reportOk, reportSkipped, reportWarning } from './check.ts'

/** Checks the files of words in DATA_DIR like a start. */
export const languages: Check = {
  name: 'languages',
  async look({ config, needs }) {
    needs('DATA_DIR')
    const { own, faults } = await readLanguages(config.dataDir)
    if (own.size === 0 && faults.length === 0)
      return reportSkipped('There are no files in DATA_DIR/languages: all words are those shipped.')
    const more = faults.length - MOST_NAMED
    return problemsOr(
      reportOk(`DATA_DIR/languages has words in ${[...own.keys()].join(', ')}.`),
      ...faults.slice(0, MOST_NAMED).map((fault) => reportWarning(fault, ADVICE)),
      more > 0 ? reportWarning(`There are ${countInWords(more, 'more fault')}.`, ADVICE) : null,
    )
  },
}

const ADVICE = 'Correct the file (npx tributary languages check FILE names all), then start the product again.'
