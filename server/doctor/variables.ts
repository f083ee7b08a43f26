import { type Check, fault, ok, warning } from './check.ts'

/** Checks the variables like a start. */
export const variables: Check = {
  name: 'variables',
  async look({ wrong, misspelt }) {
    const bad = [
      ...[...wrong.values()].map((words) => fault(words, 'Correct it, then start the product again.')),
      ...misspelt.map(({ given, meant }) =>
        warning(
          `${given} is not a variable of the product, and ${meant} is not set.`,
          `If ${meant} is meant, rename it.`,
        ),
      ),
    ]
    return bad.length > 0 ? bad : ok('Each holds what it should.')
  },
}

/** Checks the limits, which protect the passwords. */
export const limits: Check = {
  name: 'limits',
  async look({ config, needs }) {
    needs('RATE_LIMIT_FACTOR')
    if (config.rateLimitFactor > 0) return ok('Calls are limited, and failed sign-ins slow down.')
    return warning(
      'RATE_LIMIT_FACTOR holds 0: nothing is limited, and passwords can be guessed as fast as they are sent.',
      'Leave RATE_LIMIT_FACTOR out, unless this install is for load tests.',
    )
  },
}
