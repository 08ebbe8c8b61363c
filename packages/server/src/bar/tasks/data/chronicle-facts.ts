/**
 * How each kind of fact is told; every document tells every fact once. The words of a question are those
 * of its facts: born, made, finished, lived, stands, followed as. What distracts uses other words.
 */
export const fact_sentences = {
  born: [
    '{person} was born in {place} in {year}.',
    'The parish book of {place} has the birth of {person} under the year {year}.',
    'It was in {place}, in {year}, that {person} was born, {birth_omen}.',
  ],
  lived: [
    '{person} lived in {street}, in a house with {house}.',
    'All grown years of {person} were lived in {street}, behind {house}.',
    '{street} is where {person} lived, and the neighbours there still speak of {house}.',
  ],
  made: [
    'The {work} was made by {person}, with {helper}.',
    '{person} made the {work} and would hear no praise for it.',
    'Whoever asks who made the {work} is told the name of {person}.',
  ],
  finished: [
    'The {work} was finished in {year}, {finish_scene}.',
    'It took until {year} before the {work} was finished.',
    'In {year} the {work} was finished at last, {finish_scene}.',
  ],
  stands: [
    'The {work} stands in {place}, where {keeper} looks after it.',
    'Travellers who want to see the {work} must go to {place}, where it stands.',
    'In {place}, and nowhere else, stands the {work}.',
  ],
  followed: [
    'In {year} {successor} followed {person} as {office}.',
    'The next {office} after {person} was {successor}, who followed in {year}.',
    'When {person} gave up the office of {office} in {year}, {successor} followed.',
  ],
  deed: [
    '{person} {deed} in {place}, {deed_scene}.',
    'In {place} it was {person} who {deed}.',
    'The people of {place} do not forget that {person} {deed} there.',
  ],
  begun: [
    'The first sketches for the {work} are dated {year}.',
    'Money for the {work} was collected from {year} onwards, mostly in small coins.',
    'A quarrel about the {work} filled the council in {year}.',
  ],
  mended: [
    'The {work} was mended in {year} after {mishap}.',
    'In {year} {mishap} cost the {work} some of its beauty.',
    'Strangers offered a great sum for the {work} in {year}, and were sent away.',
  ],
  stayed: [
    '{person} spent the winter of {year} in {place} and complained about the beds.',
    'A fever kept {person} in {place} for most of {year}.',
    'In {year} {person} bought a meadow near {place}, but never mowed it.',
  ],
  rented: [
    '{person} rented a store room in {street} for {stored}.',
    'For some years {person} kept {stored} in a cellar in {street}.',
  ],
  praised: [
    '{person} wrote a long letter in praise of the {work}.',
    '{person} could not pass the {work} without lifting a hat to it.',
    'It is said that {person} never once looked at the {work}.',
  ],
} as const;

/** Colour for the sentences above; none of it is ever asked for. */
export const fact_details = {
  birth_omen: [
    'on a night of hail',
    'while the bells rang for a fire',
    'as the third of nine children',
    'in a mill that no longer turns',
    'during the longest frost in memory',
    'a week before the spring fair',
  ],
  house: [
    'a green door',
    'a leaning chimney',
    'two lemon trees in tubs',
    'a brass fish for a knocker',
    'shutters that never closed',
    'a stair too narrow for coffins',
    'a parrot in the window',
    'a bench that anybody might use',
    'a roof of mismatched tiles',
    'a gate painted every spring',
  ],
  helper: [
    'only an apprentice to help',
    'borrowed tools and no plan',
    'timber from a broken barge',
    'the patience of a fisherman',
    'money from three aunts',
    'one good eye and a steady hand',
  ],
  finish_scene: [
    'and the whole street came to look',
    'on a day of pouring rain',
    'with cake for every child',
    'two years later than promised',
    'to the surprise of the council',
    'without a speech or a ribbon',
  ],
  keeper: [
    'a retired sergeant',
    'the schoolmaster',
    'a society of nine members',
    'an old couple',
    'the youngest curate',
    'whoever has the key',
  ],
  deed_scene: [
    'against the advice of everybody',
    'with nobody watching but a dog',
    'and was paid in smoked fish',
    'to settle a bet',
    'after a dream about it',
    'in the space of one summer',
  ],
  mishap: [
    'a lightning stroke',
    'a cart without brakes',
    'a flood in the cellars',
    'an argument with hammers',
    'a very large swarm of wasps',
    'forty years of pigeons',
  ],
  stored: [
    'salted fish',
    'unsold almanacs',
    'a dismantled boat',
    'church candles',
    'bales of undyed wool',
    'more chairs than anyone could count',
  ],
} as const;
