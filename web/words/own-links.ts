import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words of links that partners add themselves. */
export const ownLinkWords = defineWords('own-link', 'partner', {
  add: 'Add link',
  edit: 'Edit link',
  resource: 'Link',
  thing: 'link',
  added: 'Link added',
  page: 'Page',
  pageOn: ({ hosts }: { hosts: Word }) => `A page on ${hosts}.`,
  subIdHelp: 'Stored with visits and leads. Don’t put names or emails in it.',
  editAction: 'Edit',
  ofWhich: 'of which',
  deleteWhy: 'It keeps working for visitors, and you still get credit.',
  madeByPartners: 'Links that partners made',
  more: 'Show more links',
})
