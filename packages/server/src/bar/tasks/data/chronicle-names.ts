const names = (text: string): readonly string[] => text.trim().split(/\s*,\s*/);

/** Villages and quarters around the town of a chronicle, all made up. */
export const villages = names(`
  Ostrel, Varnick, Hessock, Tarmouth, Bresk, Ulmen, Corvale, Dunsel, Fennick, Grauburn, Hathersow,
  Ixworth, Jorvend, Kellmar, Lorne, Mistrow, Norrick, Oxmarsh, Pellbrook, Quenby, Rusk, Selmer,
  Thornley, Umbrick, Vessel Cross, Wickmere, Yarrowby, Zennick, Aldmoor, Borrin, Cressing, Drumlow,
  Eskerby, Foxhollow, Gantry, Helmstow, Inverick, Juniper Hill, Kingsmoss, Lathom, Morrowfield,
  Netherby, Ottwell, Plover Green, Ravelston, Skelder, Twelvetrees, Upwater
`);

/** What the town of a chronicle is called. */
export const towns = names(`
  Marrowgate, Silverford, Lanternby, Oldmere, Greywharf, Harrowbridge, Saltwick, Bellhaven, Cinderford,
  Amberstow, Tidesend, Millharbour
`);

/** What flows through it. */
export const rivers = names(
  'Arle, Brune, Dapple, Esk, Isset, Loam, Mardle, Orme, Rill, Sorrow, Teal, Wend',
);

/** Streets in which people live or rent a room. */
export const streets = names(`
  Tanner Street, Pewter Row, Salt Lane, Cooper Street, Fishbone Alley, Candle Court, Drover Street,
  Mason Row, Needle Lane, Orchard Street, Parson Walk, Quarry Street, Ropewalk, Saddler Lane,
  Thimble Street, Ember Row, Vinegar Yard, Weaver Street, Yew Tree Lane, Anchor Street, Brewer Row,
  Chandler Lane, Dyer Street, Ferry Walk, Glover Row, Hatter Lane, Ink Street, Joiner Row, Kiln Lane,
  Lime Street, Mustard Row, North Wall, Onion Lane, Potter Street, Quill Row, Rushlight Lane,
  Smithy Street, Toll Row
`);

/** Half of the name of a work; the other half is its kind. */
export const epithets = names(`
  Heron, Amber, Winter, Crooked, Seven-Penny, Thunder, Quiet, Copper, Swallow, Midnight, Marble, Fox,
  Widow, Summer, Iron, Plum, Starling, Long, Green, Harvest, Salmon, Twin, Scarlet, Beacon, Hazel,
  Wandering, Millet, Bramble, Juniper, Velvet
`);

/** What the people of a chronicle make. */
export const work_kinds = names(`
  Bell, Clock, Organ, Bridge, Fountain, Map, Altar, Sundial, Tapestry, Gate, Globe, Mill, Staircase,
  Window, Weathervane, Carousel, Almanac, Statue, Loom, Lectern
`);

/** Offices that pass from one person to the next. */
export const offices = names(`
  town clerk, harbour warden, keeper of the ferry, master of the salt house, bell ringer,
  inspector of weights, head of the fire watch, librarian, gardener of the common green, toll keeper,
  choir master, reader of the almshouse
`);

/** Deeds of which each village has seen one, by whom is what the chronicle tells. */
export const deeds = names(`
  planted the first orchard, opened the first school, dug the first deep well, kept the first bees,
  lit the first street lamp, built the first bread oven, founded the first choir,
  printed the first newspaper, baked the first wedding cake, ran the first inn
`);
