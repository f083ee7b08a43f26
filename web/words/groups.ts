import { formatNumber, formatPlural, type Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words of groups of partners. */
export const groupWords = defineWords('group', 'partner', {
  tab: 'Groups',
  label: 'Group',
  plural: 'groups',
  tabs: 'Lists of partners',
  add: 'Add group',
  created: 'Group added',
  name: 'Group Name',
  publicName: 'Public Name',
  publicNameHelp: 'Partners see this name.',
  joinSlug: 'Page Address',
  joinSlugHelp:
    'People who apply on this page join the group. If you change or clear the address, the old one stops working.',
  joinSlugWaits: 'Gives the group an application page of its own. It opens with your program page.',
  terms: 'Terms',
  everyone: 'Everyone has the account’s terms.',
  defaultTerms: 'The default group has the account’s terms.',
  editAccountTerms: 'Edit account terms',
  /** Choices for a group, and for a partner in one. */
  choices: { inherited: 'Use account terms', custom: 'Custom terms', from: 'From account settings' },
  ofPartner: { inherited: 'Use group terms', custom: 'Custom terms', from: 'From the group' },
  from: ({ group }: { group: Word }) => `From ${group}`,
  choose: 'Choose a group',
  move: 'Move to group',
  moveHeading: ({ count }: { count: number }) =>
    formatPlural(count, `Move ${formatNumber(count)} partner`, `Move ${formatNumber(count)} partners`),
  showPartners: ({ count }: { count: number }) =>
    formatPlural(count, `Show ${formatNumber(count)} partner`, `Show ${formatNumber(count)} partners`),
  noPartners: 'No one is in this group yet.',
  addPartners: 'Add partners',
  leaveOut: ({ name }: { name: Word }) => `Leave out ${name}`,
  gone: 'This group doesn’t exist, or it was deleted.',
  resource: 'Group',
  thing: 'group',
})
