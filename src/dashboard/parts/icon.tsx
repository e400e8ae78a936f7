const PATHS = {
  overview: 'M3 12l3-5 4 8 3-6 4 3',
  resources: 'M3 5h14M3 10h14M3 15h14M8 5v10',
  requests: 'M4 6h9m0 0l-3-3m3 3l-3 3M16 14H7m0 0l3-3m-3 3l3 3',
  scenario: 'M11 2L4 11h5l-1 7 8-10h-5z',
  edges: 'M3 10h3m8 0h3M6 6h3v8H6zM11 4h3v12h-3z',
  time: 'M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M10 6v4l3 2',
  assumptions:
    'M7.5 7.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1 1-1.1 1.8M10 14.5v.2M10 2.5a7.5 7.5 0 1 0 0 15a7.5 7.5 0 0 0 0-15',
  console: 'M3 4h14v12H3zM6 8l2.5 2L6 12M10.5 12.5H14',
  report: 'M5 3h7l3 3v11H5zM12 3v3h3M7.5 14v-3M10 14V9M12.5 14v-2',
  docs: 'M4 3.5h5a2 2 0 0 1 1 .5a2 2 0 0 1 1-.5h5v12h-5a2 2 0 0 0-1 .6a2 2 0 0 0-1-.6H4zM10 4v12',
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  keys: 'M3 6h14v9H3zM6 9h.2M9 9h.2M12 9h.2M14.5 9h.2M6.5 12h7',
  copy: 'M7 7h9v9H7zM13 7V4H4v9h3',
  check: 'M4 10.5l4 4 8-9',
  cross: 'M5 5l10 10M15 5L5 15',
  search: 'M9 4a5 5 0 1 0 0 10a5 5 0 0 0 0-10M13 13l4 4',
  plus: 'M10 4v12M4 10h12',
  arrow: 'M3 10h13m0 0l-4-4m4 4l-4 4',
  compare: 'M4 4h5v12H4zM11 4h5v12h-5zM6 8h1M13 8h1M13 11h1',
  download: 'M10 3v10m0 0l-4-4m4 4l4-4M4 17h12',
  down: 'M5 8l5 5 5-5',
  back: 'M12 5l-5 5 5 5',
  up: 'M5 12l5-5 5 5',
  cube: 'M3 6l7-3 7 3v8l-7 3-7-3zM3 6l7 3 7-3M10 9v8',
  sun: 'M10 6.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 0 0 0-7M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1',
  moon: 'M16 12.5A7 7 0 0 1 7.5 4a6.5 6.5 0 1 0 8.5 8.5z',
  half: 'M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M10 3v14M10 6h4.6M10 9.5h6.4M10 13h5.6',
  warn: 'M10 3l8 14H2zM10 8v4M10 14.5v.2',
  rewind: 'M9 5L4 10l5 5M4 10h8a4 4 0 0 1 4 4v1',
  trash: 'M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6',
  camera: 'M3 6h3l1.5-2h5L14 6h3v10H3zM10 8.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 0 0 0-5',
}

export type IconName = keyof typeof PATHS

/** An inline, decorative icon. Its meaning must also be in the text next to it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
