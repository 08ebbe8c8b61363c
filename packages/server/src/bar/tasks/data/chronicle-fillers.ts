/** Sentences between the facts: weather, prices and gossip, with no name, place, work or year in them. */
export const filler_sentences: readonly string[] = `
The {river} rose over its banks that {season} and carried off a hen house, with the hens asleep inside.
Nobody could say who had left the lantern burning in the granary, and so everybody was blamed a little.
The price of {goods} doubled within a week and fell again as soon as the barges came.
A travelling dentist stayed for {number} days and left with a cartload of cheese.
In those days the watchman called the hours twice, once for the hearing and once for the deaf.
The council met {number} times to speak about the pump and bought a new carpet instead.
Old people in {town} still measure distance by the length of a pipe of tobacco.
That {season} was so dry that the millers played cards from morning until the lamps were lit.
A pedlar sold {goods} by the church door until the beadle bought all of it to have some peace.
The children of the upper streets fought the children of the lower ones with snow, and later with law.
There was a plague of moths, and for a while all coats in {town} had the same holes.
The fair brought a bear, {number} jugglers and a man who swallowed keys for a small fee.
It is not known why the weathercock was taken down, nor why it came back facing the other way.
The town drum was stolen, searched for, replaced, and then found again in the drum maker's shed.
Barges laden with {goods} lay in the harbour for {number} weeks while the toll was disputed.
The schoolroom was so cold that ink froze and the pupils learned their lessons by heart.
A comet was seen above the {river}, and several debts were paid that night out of caution.
One {season} the ferry was pulled by an ox, which had to be ferried back each evening.
The bakers agreed on one weight for a loaf, and then on {number} exceptions to it.
Rain fell on the day of the regatta, as it has on every day of every regatta since.
A choir from down the {river} came to sing and stayed to mend the roof of the hall.
The apothecary sold a syrup against melancholy which tasted strongly of {goods}.
Nothing at all happened in the month that followed, and the clerk wrote so with a steady hand.
The new lamps were admired by all except the owls, who moved to the cemetery.
Someone counted the steps to the castle and found {number} more on the way up than on the way down.
A wedding party lost its way in the fog and was married by the wrong priest, happily.
The pigs broke out on market day and for once there was no need of a crier.
It was the custom to leave a spoon by the door in {season}, though the reason had been forgotten.
The largest pumpkin ever shown in {town} was later found to be two pumpkins.
Smugglers hid {goods} under the altar steps and were caught because they knelt so often.
The bridge toll was raised by a farthing, and people discovered how well they could swim.
A painter offered to portray the whole council for nothing, and they wondered what was meant by it.
The clock struck thirteen on {number} evenings in a row before anybody dared to mention it.
Letters took nine days to the capital, eleven if they were good news.
For a whole {season} the town was without a barber, and portraits of that time show it.
The first potatoes were eaten raw, out of politeness towards the man who had brought them.
A lawsuit over a walnut tree outlived the two neighbours, their lawyers and the tree.
The fishermen of the {river} do not whistle on the water, and will not tell you why.
Thieves took the lead from the roof and left a note of apology, with {number} spelling mistakes.
There was dancing in the corn hall until the floor gave way under the second violin.
The winter coats of the fire watch were paid for with a tax on {goods}.
An inspector came to count the sheep and was shown the same sheep {number} times.
The great frost split the old pear tree, and half of it still bears fruit.
A theatre was planned, and a prison, and in the end a hall was built that could be either.
The geese of the almshouse were famous for their tempers and guarded it better than any lock.
The spring tide brought a whale into the harbour, where it was looked at and thanked and towed out.
Somebody taught the jackdaws to say good morning, and nobody has managed to make them stop.
The tailors went on strike for {number} weeks, during which elbows were much in fashion.
A bad harvest made philosophers of the farmers, and a good one made farmers of them again.
Of the seven inns of {town}, four claimed to be the oldest and three to be the cleanest.
The glazier was the only man who welcomed the hailstorm, and he was seen to thank it.
A stranger paid for {goods} with a coin that no banker could place and no child would give back.
The almanac promised a mild {season}, and the almanac was burnt for warmth.
Two brothers shared one pair of spectacles and read the newspaper to each other, line by line.
The dyers let their colours run into the {river}, so that washing day was a lottery.
When the organ wheezed the congregation sang louder, and strangers thought them pious.
The night train stopped for {number} minutes only, yet several marriages began on the platform.
The orphans were given shoes at last, all of one size, and traded toes for heels among themselves.
A map of the drains was drawn up with great care and lost with even greater.
Every {season} the rope makers walk backwards through the town in memory of something useful.
The tax on windows left the houses of {town} with a squint that they have kept.
The doctor prescribed sea air to everyone, and the sea air was brought in by the barrel.
Bread was short, tempers were shorter, and the market women kept order with ladles.
The circus left a camel behind, which the brewers found stronger than {number} horses and much ruder.
At the end of that {season} a balloon came down on the bowling green and was charged for the turf.
The census found {number} more cats than people and was not repeated.
`
  .trim()
  .split('\n');

/** What stands in for the gaps of these sentences. */
export const filler_words = {
  season: ['spring', 'summer', 'autumn', 'winter'],
  goods: [
    'tallow',
    'barley',
    'pepper',
    'tar',
    'linen',
    'hops',
    'honey',
    'saltpetre',
    'figs',
    'wool',
  ],
  number: ['three', 'five', 'six', 'nine', 'eleven', 'fourteen', 'seventeen', 'twenty'],
} as const;
