/** Words of Nadsat. What they mean in the book does not matter: each task deals meanings anew. */
export const nadsat_words: readonly string[] = `
  baboochka bezoomny biblio bitva bolshy bratty britva cantora chasso chelloveck collocoll creech
  deng devotchka dobby domy dorogoy droog forella glazz gloopy goloss gromky gulliver interessovat
  jeezny kartoffel kleb klootch koshka kupet lewdies litso lomtick malchick malenky messel mesto
  minoota moloko mozg nachinat nochy nozh oddy okno ooko platch platties pletcho polezny ptitsa
  radosty rooker sabog sakar shlapa shoom skazat skorry sladky slooshy slovo smeck sneety soomka
  spatchka starry strack tolchock toofles vareet veck veshch viddy voloss yahzick zooby zvook
`
  .trim()
  .split(/\s+/);

/** Plain meanings that fit in a hand. */
export const things_to_hold: readonly string[] = `
  acorn apple button candle coin cork cup egg envelope feather key knife lemon needle
  pebble pencil plate saucer scissors spoon teapot thimble walnut
`
  .trim()
  .split(/\s+/);

/** Plain meanings that nobody can hold: what one does, and how. */
export const nothing_to_hold: readonly string[] = `
  always arrive because below boldly carefully decide forget gladly honest laugh learn listen maybe
  often perhaps quickly remember sing sleep slowly softly tomorrow understand upwards wait wander
  whisper yesterday
`
  .trim()
  .split(/\s+/);
