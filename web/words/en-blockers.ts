/** A partner's remedy for each blocker of their payout. */
export const blockerWords = {
  next: {
    'no-deposit-info': 'Enter your payout details.',
    'not-approved-this-year': '{{account}} approves partners once a year. No action needed.',
    'below-minimum': 'The balance carries over until it reaches the minimum.',
    'negative-balance': 'It will be deducted from your future earnings.',
    'on-hold-fraud': '{{account}} is reviewing some of your sales. No action needed.',
    'deposit-info-changed-recently': 'This keeps your money safe. No action needed.',
    'payouts-not-configured': '{{account}} pays you manually. No action needed.',
    'currency-unsupported': '{{account}} will pay you another way.',
    'wise-rejected-recipient': 'Replace your payout details.',
    'partner-disabled': 'Ask {{account}} why.',
  },
} as const
