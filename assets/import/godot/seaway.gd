# Plays a bake of Seaway in Godot 4. Tested in Godot 4.6 (web, Compatibility renderer) with NPY files.
# EXR files: not run, because Godot's EXR reader needs threads, which that build lacks.
#
# Put this script on a MeshInstance3D without rotation or scale, and set `folder` to the bake. For files
# inside an exported game, bake with --format npy and add "*.npy, *.json" to the export's non-resource files:
# Godot imports EXR files of res:// as textures and leaves the originals out.
class_name SeawaySea
extends MeshInstance3D

## Folder that holds bake.json.
@export_dir var folder := "res://sea"
## Side of the mesh in metres; 0 for the largest patch.
@export var side_m := 0.0
## Cells along a side; 0 for one at every texel.
@export var cells := 0

var bake: Dictionary
var shader_material: ShaderMaterial
var _textures: Array[Texture2DArray] = []
var _kinds: Array[String] = []
var _shown := -1
var _time_s := 0.0


func _ready() -> void:
	bake = JSON.parse_string(FileAccess.get_file_as_string(folder.path_join("bake.json")))
	assert(bake.format == "seaway-bake" and int(bake.version) == 1, "This is no bake of version 1.")
	assert(bake.patches.size() <= 4, "The shader has room for four patches.")
	_kinds.assign(["displacement", "normal", "foam"] if bake.combined else ["displacement", "slopes", "stretches"])
	var patches := PackedVector4Array()
	for patch in bake.patches:
		patches.append(Vector4(patch.side_m, patch.size, cos(patch.turn_rad), sin(patch.turn_rad)))
		side_m = maxf(side_m, patch.side_m if patches.size() == 1 and side_m == 0.0 else 0.0)
	patches.resize(4)
	shader_material = ShaderMaterial.new()
	shader_material.shader = load(get_script().resource_path.get_base_dir().path_join("seaway.gdshader"))
	shader_material.set_shader_parameter("sea_patches", patches)
	shader_material.set_shader_parameter("sea_count", bake.patches.size())
	shader_material.set_shader_parameter("sea_combined", bake.combined)
	var plane := PlaneMesh.new()
	plane.size = Vector2(side_m, side_m)
	plane.subdivide_width = (cells if cells > 0 else int(bake.patches[0].size)) - 1
	plane.subdivide_depth = plane.subdivide_width
	plane.center_offset = Vector3(side_m, 0, side_m) / 2 # the first vertex lies at the origin, on a texel
	mesh = plane
	material_override = shader_material
	custom_aabb = AABB(Vector3(-50, -50, -50), Vector3(side_m + 100, 100, side_m + 100))
	show_frame(0)


func _process(delta: float) -> void:
	_time_s += delta
	show_frame(int(floor(_time_s * bake.fps)))


## Shows a frame of the loop; any whole number will do.
func show_frame(frame: int) -> void:
	frame = posmod(frame, int(bake.frames))
	if frame == _shown:
		return
	_shown = frame
	for kind in _kinds.size():
		var images: Array[Image] = []
		for patch in bake.patches:
			images.append(_read(patch, _kinds[kind], frame))
			# The displacement keeps full precision; the others are filtered.
			images[-1].convert(Image.FORMAT_RGBAF if kind == 0 else Image.FORMAT_RGBAH)
			if kind > 0:
				images[-1].generate_mipmaps()
		if _textures.size() == kind:
			_textures.append(Texture2DArray.new())
			_textures[kind].create_from_images(images)
			shader_material.set_shader_parameter(["sea_displacement", "sea_first", "sea_second"][kind], _textures[kind])
		else:
			for layer in images.size():
				_textures[kind].update_layer(images[layer], layer)


# Row 0 of a file is z = 0 and row 0 of the image: nothing is flipped.
func _read(patch: Dictionary, kind: String, frame: int) -> Image:
	for image in patch.images:
		if image.name != kind:
			continue
		var path := folder.path_join(image.file.replace("{frame}", str(frame).pad_zeros(int(image.frame_digits))))
		if image.format == "exr":
			return Image.load_from_file(path)
		assert(image.format == "npy", "Bake with --format exr or npy: Godot reduces 16-bit PNG to 8 bits.")
		var bytes := FileAccess.get_file_as_bytes(path)
		var header := 12 + bytes.decode_u32(8) if bytes[6] > 1 else 10 + bytes.decode_u16(8)
		return Image.create_from_data(int(patch.size), int(patch.size), false, Image.FORMAT_RGBF, bytes.slice(header))
	assert(false, "The bake has no image " + kind)
	return null
