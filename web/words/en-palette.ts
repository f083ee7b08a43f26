/** The words of the palette and of the keyboard. */
export const paletteWords = {
  pages: 'Pages',
  actions: 'Actions',
  placeholder: 'Page, action, name, email or number',
  placeholderPages: 'Page or action',
  results: 'Results',
  found_one: '{{count}} result',
  found_other: '{{count}} results',
  accountSettings: 'Settings: {{tab}}',
  failed: '{{group}}: an error occurred. {{why}}',
  more: 'More: keep typing to narrow the list.',

  keys: {
    heading: 'Keyboard shortcuts',
    what: 'Action',
    key: 'Key',
    andThen: 'then',
    search: 'Search the list',
    add: 'Add a new item on the page',
    go: 'Go to {{page}}',
    help: 'Show this list',
    close: 'Close a dialog or menu',
    escape: 'Esc',
    off: 'Single keys are off. Turn them on in your profile.',
    profile: 'Go to profile',
  },
} as const
