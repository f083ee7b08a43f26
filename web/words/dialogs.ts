import type { Word } from './say.ts'
export const dialogWords = {
  close: 'Close',
  cancel: 'Cancel',
  deleteHeading: ({ resource }: { resource: Word }) => `Delete ${resource}`,
  deleteBefore: 'This will delete ',
  deleteAfter: '. This action is permanent and cannot be undone.',
  delete: 'Delete',
  secretOnce: 'Copy it now. It won’t be shown again.',
  done: 'Done',
}
