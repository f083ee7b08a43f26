import type { Partner } from '#contract/partners.ts'

/**
 * True if a partner may still correct a sub-partner's names and email: they sent the invitation and it is not accepted.
 * The server then returns the full email; otherwise it is masked.
 */
export const mayCorrect = ({ email, invitationStatus }: Pick<Partner, 'email' | 'invitationStatus'>) =>
  invitationStatus !== 'accepted' && email !== null && !email.includes('•')
