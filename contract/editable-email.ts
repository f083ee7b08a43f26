/** Variables with a line of their own: the facts of the email, and its button. */
export const emailBlocks = ['details', 'button'] as const
export type EmailBlockName = (typeof emailBlocks)[number]

/**
 * An email to partners or applicants whose text an account can replace. `needsButton`: it asks its reader to act, so that
 * its text must have the button.
 */
export type EditableEmail = {
  variables: readonly string[]
  blocks: readonly EmailBlockName[]
  needsButton?: true
}

/** The name of an editable email, and a text to begin with. */
export type UsualEmail = { title: string; description: string; subject: string; body: string }
