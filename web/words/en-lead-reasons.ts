/** Why a lead came to nothing, as its page and the activity say it. */
export const leadReasons = {
  duplicate: 'Duplicate',
  'existing-customer': 'Existing customer',
  'not-a-fit': 'Not a fit',
  'insufficient-info': 'Insufficient info',
  'out-of-territory': 'Out of territory',
  'too-early': 'Too early',
  'no-response': 'No response',
  spam: 'Spam',
  'self-referral': 'Self-referral',
  other: 'Other',
} as const
