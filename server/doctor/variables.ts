import { type Check, problemsOr, reportFault, reportOk, reportWarning } from './check.ts'

/** Checks the variables like a start. */
export const variables: Check = {
  name: 'variables',
  async look({ wrong, misspelt }) {
    return problemsOr(
      reportOk('All values are valid.'),
      ...[...wrong.values()].map((words) => reportFault(words, 'Correct it, then start the product again.')),
      ...misspelt.map(({ given, meant }) =>
        reportWarning(
          `${given} isn’t a variable of the product, and ${meant} isn’t set.`,
          `If ${meant} is meant, rename it.`,
        ),
      ),
    )
  },
}

/** Checks the limits, which protect the passwords. */
export const limits: Check = {
  name: 'limits',
  async look({ config, needs }) {
    needs('RATE_LIMIT_FACTOR')
    if (config.rateLimitFactor > 0) return reportOk('Calls are rate limited, and failed sign-ins are slowed down.')
    return reportWarning(
      'RATE_LIMIT_FACTOR is 0: nothing is rate limited, and passwords can be guessed at any speed.',
      'Remove RATE_LIMIT_FACTOR, unless this server is for load tests.',
    )
  },
}
