/** Its actions in the activity. */
export const actsOnAccount = {
  'announcement-sent': 'Announcement sent',
  'announcement-deleted': 'Announcement deleted',
}
