import { defineIcon, defineLineIcon } from './base-icons.tsx'

// A separate file, since the screens before signing in need only those.
export * from './base-icons.tsx'

export const DashboardIcon = defineLineIcon('M3 3h6v7H3zM12 3h5v4h-5zM12 10h5v7h-5zM3 13h6v4H3z')
export const PartnersIcon = defineLineIcon(
  'M7.5 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 17v-1.5A3.5 3.5 0 0 1 5.5 12h4a3.5 3.5 0 0 1 3.5 3.5V17M13.5 3.2a3 3 0 0 1 0 5.6M15 12.2a3.5 3.5 0 0 1 3 3.3V17',
)
export const LeadsIcon = defineLineIcon(
  'M9 9.5a3.25 3.25 0 1 0 0-6.5 3.25 3.25 0 0 0 0 6.5zM3 17v-1a4 4 0 0 1 4-4h2.5M12 15l2 2 4-4',
)
export const LinksIcon = defineLineIcon(
  'M8.3 11.7a3.5 3.5 0 0 0 5 0l3-3a3.5 3.5 0 0 0-5-5l-1 1M11.7 8.3a3.5 3.5 0 0 0-5 0l-3 3a3.5 3.5 0 0 0 5 5l1-1',
)
export const PayoutsIcon = defineLineIcon(
  'M15.5 6V4.5A1.5 1.5 0 0 0 14 3H4.5a1.75 1.75 0 0 0 0 3H16a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 16 17H4.5A1.5 1.5 0 0 1 3 15.5v-11M14 11.5h.01',
)
export const SettingsIcon = defineLineIcon(
  'M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM10 15.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM10 2.5v2M10 15.5v2M2.5 10h2M15.5 10h2M4.7 4.7l1.4 1.4M13.9 13.9l1.4 1.4M4.7 15.3l1.4-1.4M13.9 6.1l1.4-1.4',
)
export const ProvidersIcon = defineLineIcon(
  'M4 4h12a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 16 16H4a1.5 1.5 0 0 1-1.5-1.5v-9A1.5 1.5 0 0 1 4 4zM2.5 8h15M5.5 12.5h2',
)
export const MailIcon = defineLineIcon(
  'M3.5 4.500h13a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-13a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM3 5.500l7 5.500 7-5.500',
)
export const IncomingIcon = defineLineIcon('M14.5 5.5l-9 9M12.5 14.5h-7v-7')
export const OutgoingIcon = defineLineIcon('M5.5 14.5l9-9M7.5 5.5h7v7')
/** Opens in another place. */
export const ExternalIcon = defineLineIcon(
  'M11.5 4H16v4.5M16 4l-6.5 6.5M8 4.5H5a1 1 0 0 0-1 1V15a1 1 0 0 0 1 1h9.5a1 1 0 0 0 1-1v-3',
)
export const BackIcon = defineLineIcon('M7.5 11.5L4 8l3.5-3.5M4 8h8a4 4 0 0 1 0 8H9')
export const FlagIcon = defineLineIcon('M5 17V3.5M5 4h9.5l-2 3.250 2 3.250H5')
export const PushIcon = defineLineIcon('M3.5 16.5h13M10 13V3.5M6 7.5l4-4 4 4')
export const CodeIcon = defineLineIcon('M7 5.5L2.5 10 7 14.5M13 5.5l4.5 4.5-4.5 4.5')
export const UserIcon = defineLineIcon(
  'M10 9.5a3.25 3.25 0 1 0 0-6.5 3.25 3.25 0 0 0 0 6.5zM4 17v-1a4 4 0 0 1 4-4h4a4 4 0 0 1 4 4v1',
)
export const AccountIcon = defineLineIcon('M3 16.5h14M3.5 8h13L10 3.5 3.5 8zM5 8v6M8.5 8v6M11.5 8v6M15 8v6')
export const SignOutIcon = defineLineIcon(
  'M8 3.5H4.5a1 1 0 0 0-1 1v11a1 1 0 0 0 1 1H8M13 13.5l3.5-3.5L13 6.5M16.5 10H8',
)
export const AdminIcon = defineLineIcon('M10 2.5l6 2.2v4.8c0 3.7-2.5 6.6-6 8-3.5-1.4-6-4.3-6-8V4.7z')
export const DownIcon = defineLineIcon('M6 8l4 4 4-4')
export const MenuIcon = defineLineIcon('M3 5h14M3 10h14M3 15h14')
export const CloseIcon = defineLineIcon('M5 5l10 10M15 5L5 15')
export const QrIcon = defineLineIcon(
  'M3 3h5v5H3zM12 3h5v5h-5zM3 12h5v5H3zM12 12h2v2h-2zM17 12v1M15.5 15.5v1.5M12 17h1M17 16v1',
)
export const CopyIcon = defineLineIcon(
  'M8 7.5h7.5a1 1 0 0 1 1 1V16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V8.5a1 1 0 0 1 1-1zM4 13V4.5a1 1 0 0 1 1-1h8',
)
export const PauseIcon = defineLineIcon('M7.5 5.5v9M12.5 5.5v9')
export const WaitIcon = defineLineIcon('M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 6v4l2.5 1.5')
export const OfflineIcon = defineLineIcon(
  'M3 3l14 14M2.5 8.5A10.5 10.5 0 0 1 6 6.2M9.5 5A10.5 10.5 0 0 1 17.5 8.5M5.5 11.8a6.5 6.5 0 0 1 4-1.7M14.5 11.8a6.5 6.5 0 0 0-1-.800M10 15.5h.01',
)
export const MoreIcon = defineIcon(
  <g fill="currentColor" stroke="none">
    <circle cx="4.5" cy="10" r="1.3" />
    <circle cx="10" cy="10" r="1.3" />
    <circle cx="15.5" cy="10" r="1.3" />
  </g>,
)
export const PlusIcon = defineLineIcon('M10 4v12M4 10h12')
export const KeyboardIcon = defineLineIcon(
  'M3.500 5.500h13a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-13a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM5.500 8.500h.01M8.500 8.500h.01M11.500 8.500h.01M14.500 8.500h.01M7 11.500h6',
)
export const SearchIcon = defineLineIcon('M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l3.5 3.5')
export const FilterIcon = defineLineIcon('M3.5 5.5h13M6 10h8M8.5 14.5h3')
export const UpArrowIcon = defineLineIcon('M10 16V4M5.5 8.5L10 4l4.5 4.5')
export const DownArrowIcon = defineLineIcon('M10 4v12M5.5 11.5L10 16l4.5-4.5')
export const CalendarIcon = defineLineIcon(
  'M4.5 4.5h11a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-10a1 1 0 0 1 1-1zM3.5 8h13M7 3v3M13 3v3',
)
export const DownloadIcon = defineLineIcon('M10 3.5V12M6.5 9l3.5 3.5L13.5 9M4 16.5h12')
export const PreviousIcon = defineLineIcon('M12 5.5L7.5 10l4.5 4.5')
export const NoteIcon = defineLineIcon('M4 4.5h12v8.5H9l-3.5 3v-3H4zM7 7.5h6M7 10h4')
export const ShieldIcon = defineLineIcon('M10 2.5l6 2v5c0 4-2.5 6.5-6 8-3.5-1.5-6-4-6-8v-5z')
export const ColumnsIcon = defineLineIcon('M4 4.5h12v11H4zM8 4.5v11M12 4.5v11')
