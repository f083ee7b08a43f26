/** The words of Wise profiles. */
export const wiseWords = {
  token: 'API Token',
  tokenHelp: 'Enter a token, then press Load.',
  placeholder: 'Paste your Wise token',
  load: 'Load',
  profile: 'Profile',
  change: 'Change API Token',
  kept: 'Encrypted. Only the last four characters are shown.',
  failed: 'There was an error loading your Wise profiles.',
  personal: 'Personal',
  business: 'Business',
  noProfiles: 'This token can’t access any Wise profile.',
}
