import type { Partner } from '#contract/partners.ts'

/**
 * Whether a partner may still correct names and e-mail of a sub-partner: they sent the invitation and nobody has accepted.
 * The server says so by giving the whole e-mail; else it is masked.
 */
export const mayCorrect = ({ email, invitationStatus }: Pick<Partner, 'email' | 'invitationStatus'>) =>
  invitationStatus !== 'accepted' && !email.includes('•')
