import { defineWords } from '#contract/words.ts'

/** The words of the account’s assets. */
export const assetEditorWords = defineWords('asset-editor', 'partner', {
  resource: 'Asset',
  thing: 'asset',
  add: 'Add asset',
  edit: 'Edit asset',
  added: 'Asset added',
  editAction: 'Edit',
  deleteAction: 'Delete',
  hint: 'Banners, texts and HTML for your partners to copy, with their own link already in them.',
  noLink: 'Partners see no assets until a link is enabled.',
  content: 'Content',
  kind: 'Kind',
  kinds: { image: 'Image', text: 'Text', html: 'HTML' },
  picture: 'Picture',
  alt: 'Alternative Text',
  altHelp: 'Describes the picture to people who can’t see it.',
  help: 'Use {link}, {code} and {firstName}.',
  link: 'Link',
  oldest: 'The oldest enabled link',
  group: 'For',
  everyone: 'All partners',
  size: ({ width, height }: { width: number; height: number }) => `${width} × ${height}`,
  deleteWhy: 'Partners no longer see it, and its picture disappears from pages that show it.',
})
