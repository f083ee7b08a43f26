import { countInWords } from '../platform/format-values.ts'
import { MOST_NAMED, readLanguages } from '../platform/languages.ts'
import { readFonts } from '../program/payouts/statement/fonts.ts'
import { type Check, problemsOr, reportOk, reportSkipped, reportWarning } from './check.ts'

/** Checks the files of words and the fonts in DATA_DIR like a start. */
export const languages: Check = {
  name: 'languages',
  async look({ config, needs }) {
    needs('DATA_DIR')
    const [{ own, faults: ofWords }, { fonts, faults: ofFonts }] = await Promise.all([
      readLanguages(config.dataDir),
      readFonts(config.dataDir),
    ])
    const faults = [...ofFonts, ...ofWords]
    if (own.size === 0 && fonts.length === 0 && faults.length === 0)
      return reportSkipped('There are no files in DATA_DIR/languages: all words are those shipped.')
    const more = faults.length - MOST_NAMED
    return problemsOr(
      reportOk(`DATA_DIR/languages has words in ${[...own.keys()].join(', ') || 'no language'}${withFonts(fonts)}.`),
      ...faults.slice(0, MOST_NAMED).map((fault) => reportWarning(fault, ADVICE)),
      more > 0 ? reportWarning(`There are ${countInWords(more, 'more fault')}.`, ADVICE) : null,
    )
  },
}

const withFonts = ({ length }: readonly unknown[]) => (length > 0 ? `, and ${countInWords(length, 'font')}` : '')

const ADVICE = 'Correct the file (npx tributary languages check FILE names all), then start the product again.'
