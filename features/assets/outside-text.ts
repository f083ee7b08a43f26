/** Its actions in the activity. */
export const actsOnAccount = {
  'asset-added': 'Asset added',
  'asset-updated': 'Asset changed',
  'asset-deleted': 'Asset deleted',
}
